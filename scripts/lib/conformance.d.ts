export interface Proof {
  file: string;
  title: string;
}
export interface Row {
  id: string;
  requirement: string;
  where: string[];
  proofs: Proof[];
  later: string | null;
}
export interface Result {
  file: string;
  title: string;
  ancestors: string[];
  status: string;
}
export function readRows(markdown: string): Row[];
export function testTitles(source: string): string[];
export function readReport(report: { testResults: object[] }, root: string): Result[];
export function brokenProofs(rows: readonly Row[], results: readonly Result[]): string[];
