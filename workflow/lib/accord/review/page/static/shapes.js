// Geometry of regions in px of the image: polygons are flat lists x0, y0, x1, y1, ...; masks become polygons.

const LONGEST = 1024; // px of the longer side of the raster on which a brush paints
const SLACK = 1.2; // raster px by which a simplified outline may be off

export const points = (polygon) => Array.from({ length: polygon.length / 2 }, (_, i) => [polygon[2 * i], polygon[2 * i + 1]]);

export const round = (polygon) => polygon.map((value) => Math.round(value * 10) / 10);

/** The four corners of a box. */
export function box([x, y], [u, v]) {
  const [left, right, top, bottom] = [Math.min(x, u), Math.max(x, u), Math.min(y, v), Math.max(y, v)];
  return [left, top, right, top, right, bottom, left, bottom];
}

/** left, top, right, bottom of a polygon. */
export function bounds(polygon) {
  const all = points(polygon);
  const [xs, ys] = [all.map((p) => p[0]), all.map((p) => p[1])];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Whether a polygon is an upright box. */
export function isBox(polygon) {
  if (polygon.length !== 8) return false;
  const [left, top, right, bottom] = bounds(polygon);
  return points(polygon).every(([x, y]) => (x === left || x === right) && (y === top || y === bottom));
}

/** A polygon kept within an image. */
export function within(polygon, width, height) {
  return polygon.map((value, i) => Math.min(Math.max(value, 0), i % 2 ? height : width));
}

/** A polygon moved by dx, dy, its shape kept, within an image. */
export function moved(polygon, dx, dy, width, height) {
  const [left, top, right, bottom] = bounds(polygon);
  const x = Math.min(Math.max(dx, -left), width - right);
  const y = Math.min(Math.max(dy, -top), height - bottom);
  return polygon.map((value, i) => value + (i % 2 ? y : x));
}

/** A polygon whose right and lower ends are moved by dx, dy. */
export function resized(polygon, dx, dy) {
  const [left, top, right, bottom] = bounds(polygon);
  const fx = Math.max(2, right - left + dx) / Math.max(right - left, 1e-6);
  const fy = Math.max(2, bottom - top + dy) / Math.max(bottom - top, 1e-6);
  return polygon.map((value, i) => (i % 2 ? top + (value - top) * fy : left + (value - left) * fx));
}

/** A polygon with one corner moved; a box stays a box. */
export function withCorner(polygon, corner, [x, y]) {
  const changed = polygon.slice();
  if (isBox(polygon)) {
    const [px, py] = [polygon[2 * corner], polygon[2 * corner + 1]];
    for (let i = 0; i < 4; i += 1) {
      if (polygon[2 * i] === px) changed[2 * i] = x;
      if (polygon[2 * i + 1] === py) changed[2 * i + 1] = y;
    }
    return changed;
  }
  changed.splice(2 * corner, 2, x, y);
  return changed;
}

/** Twice the area of a polygon, px². */
export function area(polygon) {
  const all = points(polygon);
  return Math.abs(all.reduce((sum, [x, y], i) => {
    const [u, v] = all[(i + 1) % all.length];
    return sum + x * v - u * y;
  }, 0));
}

/** The outlines of a region after a stroke of a brush: painted on, or wiped away. Holes are filled. */
export function brushed(polygon, stroke, radius, wipe, width, height) {
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width * scale) + 2;
  canvas.height = Math.ceil(height * scale) + 2;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.setTransform(scale, 0, 0, scale, 1, 1);
  pen.lineCap = pen.lineJoin = "round";
  if (polygon) filled(pen, polygon);
  pen.globalCompositeOperation = wipe ? "destination-out" : "source-over";
  pen.lineWidth = 2 * radius;
  pen.beginPath();
  stroke.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  if (stroke.length === 1) pen.lineTo(stroke[0][0] + 0.01, stroke[0][1]);
  pen.stroke();
  const data = pen.getImageData(0, 0, canvas.width, canvas.height).data;
  const mask = Uint8Array.from({ length: canvas.width * canvas.height }, (_, i) => (data[4 * i + 3] > 127 ? 1 : 0));
  return outlines(mask, canvas.width, canvas.height)
    .map((line) => round(within(simplified(line, SLACK).flatMap(([x, y]) => [(x - 1) / scale, (y - 1) / scale]), width, height)))
    .filter((one) => one.length >= 6 && area(one) > 8);
}

function filled(pen, polygon) {
  pen.beginPath();
  points(polygon).forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
  pen.fill();
}

/** The outer outlines of a mask's parts, along the edges of its cells: each a list of [x, y]. */
export function outlines(mask, width, height) {
  const at = (x, y) => x >= 0 && y >= 0 && x < width && y < height && mask[y * width + x] === 1;
  const seen = new Uint8Array(mask.length);
  const found = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!at(x, y) || seen[y * width + x]) continue;
      flood(mask, seen, x, y, width, height);
      found.push(walked(at, x, y));
    }
  }
  return found;
}

function flood(mask, seen, x, y, width, height) {
  const stack = [y * width + x];
  seen[stack[0]] = 1;
  while (stack.length) {
    const cell = stack.pop();
    const column = cell % width;
    for (const [next, inside] of [
      [cell - 1, column > 0], [cell + 1, column < width - 1], [cell - width, cell >= width], [cell + width, cell < width * (height - 1)],
    ]) {
      if (inside && mask[next] && !seen[next]) {
        seen[next] = 1;
        stack.push(next);
      }
    }
  }
}

/** Once around a part, clockwise, from the upper left corner of its first cell: the part is always to the right. */
function walked(at, startX, startY) {
  const line = [];
  let [x, y, dx, dy] = [startX, startY, 1, 0];
  do {
    line.push([x, y]);
    x += dx;
    y += dy;
    // The cells ahead, to the left and to the right of the way.
    const ahead = (side) => at(Math.floor(x + (dx - side * dy) / 2), Math.floor(y + (dy + side * dx) / 2));
    if (!ahead(1)) [dx, dy] = [-dy, dx];
    else if (ahead(-1)) [dx, dy] = [dy, -dx];
  } while (x !== startX || y !== startY || dx !== 1 || dy !== 0);
  return line;
}

/** A closed line with fewer points, none of the dropped ones farther than `slack` from it (Douglas and Peucker). */
export function simplified(line, slack) {
  const half = Math.floor(line.length / 2);
  return [...reduced(line.slice(0, half + 1), slack).slice(0, -1), ...reduced([...line.slice(half), line[0]], slack).slice(0, -1)];
}

function reduced(line, slack) {
  const keep = new Set([0, line.length - 1]);
  const stack = [[0, line.length - 1]];
  while (stack.length) {
    const [from, to] = stack.pop();
    let [farthest, most] = [-1, slack];
    for (let i = from + 1; i < to; i += 1) {
      const off = distance(line[i], line[from], line[to]);
      if (off > most) [farthest, most] = [i, off];
    }
    if (farthest > 0) {
      keep.add(farthest);
      stack.push([from, farthest], [farthest, to]);
    }
  }
  return [...keep].sort((a, b) => a - b).map((i) => line[i]);
}

function distance([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const long = Math.hypot(dx, dy);
  return long ? Math.abs((x - ax) * dy - (y - ay) * dx) / long : Math.hypot(x - ax, y - ay);
}
