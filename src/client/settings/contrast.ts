// Color math: perceived lightness (OKLCH), and contrast (WCAG 2).

export type Rgb = readonly [number, number, number];

/** Lightness 0–1, chroma from 0, hue in radians. */
export interface Lch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

/** Of `#rrggbb`; each part 0–255. */
function rgbOf(hex: string): Rgb {
  const number = Number.parseInt(hex.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

function hexOf(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function encoded(light: number): number {
  const share = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
  return share * 255;
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Contrast ratio, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(rgbOf(a)), luminance(rgbOf(b))].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

export function lchOf(hex: string): Lch {
  const [red, green, blue] = rgbOf(hex).map(linear) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  return { l: lightness, c: Math.hypot(a, b), h: Math.atan2(b, a) };
}

function rawRgb({ l: lightness, c, h }: Lch): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encoded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

const CHROMA_STEP = 0.005;

/** As `#rrggbb`; a color outside the gamut loses chroma until it fits. */
export function hexOfLch({ l, c, h }: Lch): string {
  for (let chroma = c; chroma > 0; chroma -= CHROMA_STEP) {
    const color = rawRgb({ l, c: chroma, h });
    if (color.every((part) => part >= -0.5 && part <= 255.5)) return hexOf(clamped(color));
  }
  return hexOf(clamped(rawRgb({ l, c: 0, h })));
}

function clamped([red, green, blue]: Rgb): Rgb {
  const within = (part: number) => Math.max(0, Math.min(255, part));
  return [within(red), within(green), within(blue)];
}
