// Pictures that cameras read (QR codes): made as a path to draw, and found in what the camera sees.
import encodeQR from 'qr';
import decodeQR from 'qr/decode.js';

/** How often a frame of the camera is looked at. */
const LOOK_MS = 150;
/** Frames are looked at in this width at most. */
const LOOKED_PIXELS = 640;

/** A text as the path of its dark squares, and the width of the whole in squares. */
export function pictureOf(text: string): { readonly d: string; readonly size: number } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 3 });
  const squares = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return { d: squares.join(''), size: rows.length };
}

function textIn(image: ImageData): string | null {
  try {
    return decodeQR(image);
  } catch {
    // There is none, or it isn't sharp yet.
    return null;
  }
}

/** Shows what the camera sees, and resolves with the text of the first picture in it. Rejects where there is no camera, and with the signal. */
export async function readPictures(video: HTMLVideoElement, signal: AbortSignal): Promise<string> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  try {
    video.srcObject = stream;
    await video.play();
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (context === null) throw new Error('nothing can be drawn here');
    for (;;) {
      signal.throwIfAborted();
      const scale = Math.min(1, LOOKED_PIXELS / Math.max(1, video.videoWidth));
      const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)];
      if (width > 0 && height > 0) {
        canvas.width = width;
        canvas.height = height;
        context.drawImage(video, 0, 0, width, height);
        const text = textIn(context.getImageData(0, 0, width, height));
        if (text !== null) return text;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } finally {
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  }
}
