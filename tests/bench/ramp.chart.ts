/** A step of a ramp: a number of people at once, and the results of their turns. */
export interface RampStep {
  people: number;
  turns: number;
  /** Of the time with the target. Null without an answered turn. */
  p50Ms: number | null;
  p95Ms: number | null;
  /** Refused and failed turns. */
  refused: number;
  /** Share of all cores of the machine, including the clients', 0 to 1. */
  busy: number;
}

export interface Ramp {
  name: string;
  /** The quantity measured. */
  what: string;
  /** The ramp ends with the first step that is later, or refuses more than a hundredth. */
  targetMs: number;
  /** The most people within the target; 0: none. */
  holds: number;
  steps: RampStep[];
}

const WIDTH = 640;
const HEIGHT = 320;
const MARGIN = { left: 64, right: 24, top: 48, bottom: 48 };

/** A ramp as an SVG: people at once along, milliseconds up, p50 and p95, and the target as a dashed line. */
export function rampChart({ name, what, targetMs, steps }: Ramp): string {
  const highest = Math.max(targetMs, ...steps.map(({ p95Ms }) => p95Ms ?? 0)) * 1.1;
  const x = (at: number) =>
    MARGIN.left + (at / Math.max(1, steps.length - 1)) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (ms: number) => HEIGHT - MARGIN.bottom - (ms / highest) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const line = (of: (step: RampStep) => number | null, colour: string, label: string) => {
    const points = steps.flatMap((step, at) => {
      const ms = of(step);
      return ms === null ? [] : [{ x: x(at), y: y(ms) }];
    });
    const last = points.at(-1);
    return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(' ')}"/>
${points.map((p) => `<circle cx="${p.x.toFixed(1)}" cy="${p.y.toFixed(1)}" r="3" fill="${colour}"/>`).join('')}
${last ? `<text x="${last.x.toFixed(1)}" y="${(last.y - 8).toFixed(1)}" text-anchor="end" fill="${colour}">${label}</text>` : ''}`;
  };
  const floor = HEIGHT - MARGIN.bottom;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="${name}: ${what}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text x="${MARGIN.left}" y="20" font-size="15" font-weight="600">${name}</text>
<text x="${MARGIN.left}" y="36" fill="#555">${what}</text>
<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${floor}" y2="${floor}" stroke="#999"/>
<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(targetMs)}" y2="${y(targetMs)}" stroke="#b91c1c" stroke-dasharray="5 4"/>
<text x="${MARGIN.left - 8}" y="${y(targetMs) + 4}" text-anchor="end" fill="#b91c1c">${targetMs} ms</text>
<text x="${MARGIN.left - 8}" y="${floor + 4}" text-anchor="end" fill="#555">0</text>
${steps.map(({ people }, at) => `<text x="${x(at)}" y="${floor + 18}" text-anchor="middle" fill="#555">${people}</text>`).join('')}
<text x="${WIDTH / 2}" y="${HEIGHT - 10}" text-anchor="middle" fill="#555">people at once</text>
${line(({ p50Ms }) => p50Ms, '#2563eb', 'p50')}
${line(({ p95Ms }) => p95Ms, '#c2410c', 'p95')}
</svg>
`;
}
