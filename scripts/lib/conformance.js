// Reads docs/specification.md, the table of requirements and the tests that prove them, and checks it against
// test sources and test reports.

/**
 * @typedef {{ file: string, title: string }} Proof a test, by its file from the root and the title it has in the source
 * @typedef {{ id: string, requirement: string, where: string[], proofs: Proof[], later: string | null }} Row
 * @typedef {{ file: string, title: string, ancestors: string[], status: string }} Result
 */

/** Reads every row of the table, in order. @param {string} markdown @returns {Row[]} */
export function readRows(markdown) {
  return markdown.split('\n').flatMap((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    const [, id, requirement, where, proof] = cells;
    if (!/^S\d+\.[\w-]+\.\d+$/.test(id ?? '')) return [];
    const later = /^Later: (.+)$/.exec(proof ?? '')?.[1] ?? null;
    return [
      {
        id,
        requirement,
        where: [...(where ?? '').matchAll(/`([^`]+)`/g)].map(([, path]) => path),
        proofs: later === null ? readProofs(proof ?? '') : [],
        later,
      },
    ];
  });
}

/** `file` › title; title<br>`other file` › title */
function readProofs(cell) {
  return cell.split('<br>').flatMap((part) => {
    const [, file, titles] = /^\s*`([^`]+)` › (.+)$/.exec(part) ?? [];
    return titles ? titles.split(' · ').map((title) => ({ file, title: title.trim() })) : [];
  });
}

/**
 * The titles of all tests in a source, unexpanded: `%s` stays `%s`. @param {string} source @returns
 * {string[]}
 */
export function testTitles(source) {
  const titles = [];
  for (const found of source.matchAll(/(?<![\w.$'"`])(?:it|test)(?=[.(])/g)) {
    const title = titleAt(source, found.index + found[0].length);
    if (title !== null) titles.push(title);
  }
  return titles;
}

/** Follows `.each([…])`, `.skipIf(…)` and the like to the call whose first argument is the title. */
function titleAt(source, start) {
  let at = start;
  for (;;) {
    const member = /^\s*\.\w+/.exec(source.slice(at, at + 100));
    if (member) {
      at += member[0].length;
      continue;
    }
    if (source[at] !== '(') return null;
    const literal = /^\(\s*(?:'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`)\s*,/.exec(
      source.slice(at, at + 400),
    );
    if (literal) return (literal[1] ?? literal[2] ?? literal[3]).replace(/\\(['"`\\])/g, '$1');
    at = closing(source, at) + 1;
    if (at === 0) return null;
  }
}

/**
 * Index of the bracket that closes the one at `start`, ignoring strings and comments; -1 if there is none.
 */
function closing(source, start) {
  const token =
    /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[()[\]{}]/g;
  token.lastIndex = start;
  let depth = 0;
  for (let found = token.exec(source); found; found = token.exec(source)) {
    if ('([{'.includes(found[0])) depth++;
    if (')]}'.includes(found[0])) {
      depth--;
      if (depth === 0) return found.index;
    }
  }
  return -1;
}

/**
 * Reads a vitest JSON report. @param {{ testResults: object[] }} report @param {string} root @returns
 * {Result[]}
 */
export function readReport(report, root) {
  const base = root.replaceAll('\\', '/').replace(/\/?$/, '/');
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, ancestorTitles, status }) => ({
      file: name.replaceAll('\\', '/').replace(base, ''),
      title,
      ancestors: ancestorTitles,
      status,
    })),
  );
}

/**
 * Checks the table. Returns one sentence per invalid proof: a test that does not exist, that failed, or that
 * was skipped although its suite does not announce that.
 * @param {Row[]} rows @param {Result[]} results of every suite that ran; a test may have run more than once
 * @returns {string[]}
 */
export function brokenProofs(rows, results) {
  const byFile = new Map();
  for (const result of results) {
    if (!byFile.has(result.file)) byFile.set(result.file, []);
    byFile.get(result.file).push(result);
  }
  return rows.flatMap(({ id, proofs, later }) => {
    if (later === null && proofs.length === 0) return [`${id} names no test.`];
    return proofs.flatMap(({ file, title }) => {
      const pattern = titlePattern(title);
      const runs = (byFile.get(file) ?? []).filter((result) => pattern.test(result.title));
      if (runs.length === 0) return [`${id}: "${title}" of ${file} did not run.`];
      const bad = runs.find(
        ({ status, ancestors }) => status !== 'passed' && !isSkippedWithReason(status, ancestors),
      );
      return bad
        ? [
            `${id}: "${bad.title}" of ${file} ${bad.status === 'failed' ? 'failed' : 'was skipped without a reason'}.`,
          ]
        : [];
    });
  });
}

const isSkippedWithReason = (status, ancestors) =>
  status !== 'failed' && ancestors.some((suite) => /\(skipped where .+\)/.test(suite));

/** Matches the titles that `it.each` generates: `%s`, `%i`, `$name` and the like match anything. */
function titlePattern(title) {
  const parts = title.split(/%[sdifjoOc#$]|\$\{[^}]*\}|\$[\w.]+/);
  return new RegExp(
    `^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*')}$`,
  );
}
