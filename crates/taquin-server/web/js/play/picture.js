// Pictures for the tiles. They stay in the memory of this page.

const LONGEST = 1200;

/** An object URL of a picture in the shape of a board. `file` is a picture of the user's own, or null for the built-in one. */
export async function picture(file, rows, columns) {
  const scale = LONGEST / Math.max(rows, columns);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(columns * scale);
  canvas.height = Math.round(rows * scale);
  const context = canvas.getContext('2d');
  if (file) await cover(context, file);
  else landscape(context);
  const blob = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.9));
  return URL.createObjectURL(blob);
}

/** Draws the middle of a picture so that it fills the canvas. */
async function cover(context, file) {
  const { width, height } = context.canvas;
  const image = await createImageBitmap(file);
  const scale = Math.max(width / image.width, height / image.height);
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(image, (width - image.width * scale) / 2, (height - image.height * scale) / 2, image.width * scale, image.height * scale);
  image.close();
}

/** Evening over hills, with lines on them so that no two parts look the same. */
function landscape(context) {
  const { width, height } = context.canvas;
  const sky = context.createLinearGradient(0, 0, width * 0.25, height);
  [['#16324f', 0], ['#3d5a80', 0.25], ['#c86b85', 0.52], ['#f6b26b', 0.72], ['#fde3a7', 0.85]].forEach(([colour, at]) => sky.addColorStop(at, colour));
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height);
  const sun = { x: width * 0.68, y: height * 0.52, r: Math.min(width, height) * 0.12 };
  const glow = context.createRadialGradient(sun.x, sun.y, sun.r * 0.8, sun.x, sun.y, sun.r * 4);
  glow.addColorStop(0, '#fff1c9cc');
  glow.addColorStop(1, '#fff1c900');
  context.fillStyle = glow;
  context.fillRect(0, 0, width, height);
  context.fillStyle = '#fff6dc';
  context.beginPath();
  context.arc(sun.x, sun.y, sun.r, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = '#fffc';
  for (let star = 0; star < 40; star++) {
    const [x, y] = [(star * 0.381966) % 1, ((star * 0.7548) % 1) * 0.35];
    context.fillRect(x * width, y * height, 1 + (star % 3), 1 + (star % 3));
  }
  const hills = [['#8d5a7b', 0.62, 0.07, 1.3], ['#5e4b74', 0.71, 0.06, 2.1], ['#33415c', 0.8, 0.05, 3.3], ['#1b2a38', 0.9, 0.04, 5.2]];
  context.strokeStyle = '#ffffff2e';
  context.lineWidth = 2;
  hills.forEach(([colour, base, rise, waves], index) => {
    for (let line = 0; line < 6; line++) {
      context.fillStyle = colour;
      context.beginPath();
      context.moveTo(-9, height + 9);
      for (let x = -9; x <= width + 9; x += 6) {
        const at = (x / width) * waves * Math.PI + index * 1.7 + line * 0.12;
        context.lineTo(x, height * (base + line * line * 0.006 - rise * (1 - line * 0.1) * (Math.sin(at) + 0.4 * Math.sin(2.7 * at + 1))));
      }
      context.lineTo(width + 9, height + 9);
      context.fill();
      context.stroke();
    }
  });
}
