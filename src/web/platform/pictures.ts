// Pictures that a person chooses, decoded and encoded anew: what leaves the device is pixels, and nothing else that was in the file.
import { failed, ok, type Result } from '#core/result.ts';

/** Each try takes this share of the width before. */
const SMALLER = 0.75;
const LEAST_PIXELS = 32;

const UNREADABLE = 'Couldn’t read this picture. Choose a PNG, JPEG, WebP or GIF.';

function drawn(bitmap: ImageBitmap, width: number, height: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) return Promise.resolve(null);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
}

/** A PNG of the picture with at most so many pixels a side and so many bytes; a failure is a sentence. */
export async function asSmallPng(
  file: Blob,
  most: { readonly pixels: number; readonly bytes: number },
): Promise<Result<Uint8Array<ArrayBuffer>, string>> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return failed(UNREADABLE);
  }
  try {
    const longest = Math.max(bitmap.width, bitmap.height);
    for (
      let side = Math.min(most.pixels, longest);
      side >= LEAST_PIXELS || side === longest;
      side *= SMALLER
    ) {
      const scale = side / longest;
      const width = Math.max(1, Math.round(bitmap.width * scale));
      const height = Math.max(1, Math.round(bitmap.height * scale));
      const png = await drawn(bitmap, width, height);
      if (png !== null && png.type === 'image/png' && png.size <= most.bytes)
        return ok(new Uint8Array(await png.arrayBuffer()));
    }
    return failed('Couldn’t make this picture small enough. Choose a simpler one.');
  } finally {
    bitmap.close();
  }
}
