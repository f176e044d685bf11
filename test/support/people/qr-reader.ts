import assert from "node:assert/strict";
import jsqr from "jsqr";
import type { Locator } from "playwright-core";

const PIXELS_PER_MODULE = 4;
const RGBA = 4;

/** Reads the text of a QR code on a page, from its drawn modules, as a camera would. */
export async function readQrCode(image: Locator): Promise<string> {
  const size = Number((await image.getAttribute("viewBox"))?.split(" ")[2]);
  const drawn = (await image.locator("path").getAttribute("d")) ?? "";
  const side = size * PIXELS_PER_MODULE;
  const pixels = new Uint8ClampedArray(side * side * RGBA).fill(255);
  for (const [, x, y] of drawn.matchAll(/M(\d+),(\d+)h1v1h-1z/g)) {
    for (let row = 0; row < PIXELS_PER_MODULE; row++) {
      const start = (Number(y) * PIXELS_PER_MODULE + row) * side + Number(x) * PIXELS_PER_MODULE;
      for (let at = start; at < start + PIXELS_PER_MODULE; at++) pixels.fill(0, at * RGBA, at * RGBA + 3);
    }
  }
  const read = jsqr.default(pixels, side, side);
  assert.ok(read !== null, "no QR code is found");
  return read.data;
}
