import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LanguagePack } from '#server/languages/contract';
import type { ActionInput } from '#shared/actions';
import { adversarialTexts } from './support/adversarial-texts.ts';
import { growsTooFast } from './support/growth.ts';
import {
  attacksOn,
  makesPatterns,
  type Pattern,
  patternsIn,
  patternsMadeBy,
  superlinear,
} from './support/patterns.ts';
import { isForTests } from './support/read-imports.ts';
import { root, sourceFiles } from './support/source-files.ts';
import { type ExportedFunction, textFunctionsIn } from './support/text-functions.ts';

/*
 * Nothing takes more time than in proportion to its text, neither a pattern nor a function that reads by some: one message
 * that makes it so would hold the thread that everybody's messages come through.
 */

/** Characters of a text: more than a message may have. */
const LENGTH = 10_000;

type Rule = ExportedFunction & { path: string };

/** What rules are first run over: together they put all patterns together. */
const ORDINARY = ['My order of 12 lamps came on 4 May, and one is broken.', 'Lamps', 'Is it broken, Robin?'];

const isProduct = ({ path }: { path: string }) => !isForTests(path);
const files = ['shared', 'server', 'web/src'].flatMap(sourceFiles).filter(isProduct);
const rules = ['shared', 'server/languages', 'server/dialogue', 'server/features']
  .flatMap(sourceFiles)
  .filter((file) => isProduct(file) && !file.path.endsWith('.worker.ts'))
  .flatMap((file) => textFunctionsIn(file).map((rule): Rule => ({ ...rule, path: file.path })));

/** Patterns that are given short texts alone, by their source. */
const ON_SHORT_TEXTS = new Map([
  // A value of an input has at most MAX_INPUT_CHARACTERS.
  [String.raw`^[^\s@]+@[^\s@]+\.[^\s@]+$`, 'server/dialogue/actions/inputs.ts'],
  // What is said to a read-back is read as far as MAX_SAID.
  [
    String.raw`(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\d{4}-\d\d-\d\d|\d+(?:[.,:/]\d+)*(?:st|nd|rd|th)?(?![\p{L}\d])|[\p{L}\p{N}]+(?:'\p{L}+)?|\S`,
    'server/languages/en/messages/consent/tokens.ts',
  ],
]);
/** Files whose patterns come from a business or a setting, and how they are kept from taking long. */
const MADE_OF_OTHERS = new Map([
  ['shared/actions.ts', 'only tells whether a pattern is one'],
  ['server/lib/linear-source.ts', 'only tells whether a pattern is one'],
  ['server/features/engines/service.ts', 'looks for the names of settings'],
]);

const input: ActionInput = {
  name: 'order',
  label: 'order number',
  type: 'text',
  pattern: '[A-Z]{2}\\d+',
  required: true,
};
/** What rules are given beside their text, by the type of the parameter. */
const samplesIn = (english: LanguagePack): Record<string, readonly unknown[]> => ({
  number: [3],
  boolean: [true],
  unknown: [{}],
  Date: [new Date('2026-11-26')],
  LanguagePack: [english],
  Words: [english.words],
  "Pick<Words, 'termsOf'>": [english.words],
  "Pick<Messages, 'withFigures' | 'maskedAs'>": [english.messages],
  '(text: string) => string[]': [english.words.termsOf],
  'readonly Mask[]': [['national-id', 'payment', 'email', 'phone']],
  ActionInput: [input, { ...input, type: 'email', pattern: undefined }],
  'readonly ActionInput[]': [[input, { ...input, name: 'day', type: 'date', pattern: undefined }]],
  Inputs: [{ order: 'LN-4471' }],
  AskedValue: ['digits', 'email', 'phone', 'date', 'text'].map((type) => ({
    type,
    isAsked: true,
    today: new Date('2026-11-26'),
  })),
  AskedConsent: [
    {
      readBack: 'Just to check: a refund for order 4471. Shall I go ahead?',
      isYesAskedFor: true,
      agentName: 'Robin',
    },
  ],
  "'name' | 'phone' | null": ['name', null],
  Contact: [{ name: 'Ana Berg', phone: '01632 960447', email: 'ana@mail.example' }],
  LocalMoment: [{ weekday: 1, minutes: 600 }],
  'readonly Cell[]': [
    [
      { column: 'Boat', value: 'Canoe' },
      { column: 'Price', value: '£14' },
    ],
  ],
  ExpectedAnswer: ['anything', 'yes-or-no', 'code', 'email', 'phone', 'short'],
  Audience: ['of-customer', 'agent'],
  Sentiment: ['neutral', 'positive'],
  Float32Array: [new Float32Array(768)],
  'readonly Figure[]': [[{ value: '30', unit: 'day' }]],
  'readonly Citation[]': [[{ source: 'Delivery', text: 'Delivery takes three days.' }]],
  'ReadonlySet<string>': [new Set(['mhm', 'okay', 'that makes sense'])],
  Surroundings: [{ next: null, nextText: '', capitals: false, language: english }],
});
let samples: ReturnType<typeof samplesIn> = {};

/** Rules that are not run here, and why. */
const LEFT_OUT = new Map<string, string>([
  ['chooseByWords', 'is asked with 600 characters at most'],
  ['toldOf', 'reads nothing'],
  ['draftOf', 'reads nothing'],
  ['labelledDrafts', 'reads by rules that are run'],
  ['sentenceDrafts', 'reads by rules that are run'],
  ['citationOf', 'reads nothing'],
  ['keptQuestion', 'cuts what it keeps'],
  ['askAbout', 'cuts what it keeps'],
  ['unsureReply', 'reads by rules that are run'],
  ['isVague', 'reads by rules that are run'],
  ['furtherIn', 'reads by rules that are run'],
  ['felt', 'reads a beginning of 400 characters'],
  ['writeClassifier', 'reads nothing'],
  ['maskedFor', 'reads by rules that are run'],
  ['pick', 'chooses a wording'],
  ['questionsIn', 'reads by rules that are run'],
  ['customerTurn', 'reads nothing'],
  ['disclosureCheck', 'reads what a business wrote'],
  ['checkedValue', 'counts what its patterns do'],
  ['holdsValue', 'counts what its patterns do'],
  // They read what `consentIn`, which is run, has cut into few words.
  ...[
    'affirms',
    'isSameRole',
    'endsOf',
    'givesUp',
    'refuses',
    'numbersRepeatedAt',
    'repeatedAt',
    'signOf',
  ].map((name) => [name, 'reads words of `consentIn`'] as const),
]);

const rulesRun = rules.filter(({ name }) => !LEFT_OUT.has(name));

function attempt(run: () => unknown): void {
  try {
    run();
  } catch {
    // What is refused was read.
  }
}

/** A rule as a function of the text alone, once for each way to call it. */
async function callsOf({ path, name, parameters }: Rule): Promise<((text: string) => unknown)[]> {
  const module: Record<string, unknown> = await import(/* @vite-ignore */ join(root, path));
  const rule = module[name];
  if (typeof rule !== 'function') throw new Error(`${path} exports no function ${name}.`);
  const ways = parameters.reduce<((text: string) => unknown[])[]>(
    (before, parameter) =>
      before.flatMap((given) => valuesOf(parameter).map((value) => (text) => [...given(text), value(text)])),
    [() => []],
  );
  return ways.map((given) => (text) => Reflect.apply(rule, undefined, given(text)));
}

/** What a parameter is given of a text; nothing where that is not known. */
function valuesOf({ name, type }: ExportedFunction['parameters'][number]): ((text: string) => unknown)[] {
  if (/^string(?: \| (?:undefined|null))?\??$/.test(type)) return [(text) => text];
  if (/^(?:(?:readonly )?string\[\]|Iterable<string>)\??$/.test(type))
    return [(text) => (/^(?:words|said|run)$/.test(name) ? text.trim().split(/\s+/) : [text])];
  if (type === 'SaidInRoom')
    return [(text) => ({ text, agentName: 'Robin', otherNames: ['Kim'], agentJustSaid: null })];
  if (type.endsWith('?')) return [() => undefined];
  return (samples[type] ?? []).map((value) => () => value);
}

function findAll(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  if (!pattern.global) pattern.test(text);
  else for (const _ of text.matchAll(pattern));
}

const named = ({ source, flags, place }: Pattern) => `${place}: /${source}/${flags}`;
const fileOf = ({ place }: Pattern) => place.replace(/:\d+$/, '');
/** Each pattern once: many files trim alike. */
const each = (patterns: readonly Pattern[]) => [
  ...new Map(patterns.map((pattern) => [`${pattern.source}/${pattern.flags}`, pattern])).values(),
];

let made: Pattern[];
beforeAll(async () => {
  made = await patternsMadeBy(async () => {
    // Imported here and not above: patterns are put together when it is read.
    const { packOf } = await import('#server/languages/index');
    samples = samplesIn(packOf('en'));
    for (const { path } of files.filter(makesPatterns)) await import(/* @vite-ignore */ join(root, path));
    for (const rule of rulesRun)
      for (const call of await callsOf(rule)) for (const text of ORDINARY) attempt(() => call(text));
  });
});

describe('patterns', () => {
  const written = each(files.flatMap(patternsIn));
  let all: Pattern[];
  beforeAll(() => {
    all = each([...written, ...made.filter((pattern) => !MADE_OF_OTHERS.has(fileOf(pattern)))]).filter(
      ({ source }) => !ON_SHORT_TEXTS.has(source),
    );
  });

  it('are all read: those that are written and those that are put together', () => {
    expect(written.length).toBeGreaterThan(1_000);
    expect(made.length).toBeGreaterThan(100);
    const makers = new Set([...made.map(fileOf), ...MADE_OF_OTHERS.keys()]);
    expect(
      files.filter((file) => makesPatterns(file) && !makers.has(file.path)).map(({ path }) => path),
    ).toEqual([]);
    expect(
      [...ON_SHORT_TEXTS.keys()].filter((source) => !written.some((one) => one.source === source)),
    ).toEqual([]);
  });

  it('repeat nothing in two ways, and begin nothing anew at each character of it', () => {
    const slow = all.flatMap((pattern) => {
      const why = superlinear(pattern);
      return why === null ? [] : [`${named(pattern)} is ${why}`];
    });
    expect(slow).toEqual([]);
  });

  it('take no longer than in proportion to the text that is hardest for each', () => {
    const slow = all
      // What doubles with each character would never come back.
      .filter((pattern) => !superlinear(pattern)?.startsWith('exponential'))
      .flatMap((pattern) => {
        const expression = new RegExp(pattern.source, pattern.flags);
        const hard = [...attacksOn(pattern, LENGTH)].find((text) =>
          growsTooFast((part) => findAll(expression, part), text),
        );
        return hard === undefined
          ? []
          : [`${named(pattern)} is slow over ${JSON.stringify(hard.slice(0, 40))}`];
      });
    expect(slow).toEqual([]);
  });
});

describe('rules', () => {
  it('are all run: there is a sample of each type', async () => {
    expect(rulesRun.length).toBeGreaterThan(120);
    const unknown = rulesRun.flatMap(({ name, path, parameters }) =>
      parameters
        .filter((parameter) => valuesOf(parameter).length === 0)
        .map(({ type }) => `${path}: ${name} takes ${type}`),
    );
    expect(unknown).toEqual([]);
    expect([...LEFT_OUT.keys()].filter((name) => !rules.some((rule) => rule.name === name))).toEqual([]);
  });

  it('take no longer than in proportion to their text, whatever it is', async () => {
    const slow: string[] = [];
    const texts = adversarialTexts(LENGTH);
    for (const rule of rulesRun)
      for (const call of await callsOf(rule))
        for (const [what, text] of texts)
          if (growsTooFast(call, text)) slow.push(`${rule.path}: ${rule.name} is slow over ${what}`);
    expect([...new Set(slow)]).toEqual([]);
  });
});

describe('the check of patterns', () => {
  const pattern = (source: string, flags = ''): Pattern => ({ source, flags, place: 'here:1' });
  const isSlow = ({ source, flags }: Pattern) =>
    [...attacksOn(pattern(source, flags), LENGTH)].some((text) =>
      growsTooFast((part) => findAll(new RegExp(source, flags), part), text),
    );

  it.each(['[\\s.!]+$', '(?:a|a)*$', '^(?:[aeiou]*(?:[mh]+[aeiou]*)+)$', '\\s*\\|?\\s*$'])(
    'sees by its form that /%s/ takes too long',
    (source) => expect(superlinear(pattern(source))).not.toBeNull(),
  );

  it.each(['\\bhow .*ever$', '(?<=\\bwe .*)soon'])('measures that /%s/ takes too long', (source) =>
    expect(isSlow(pattern(source))).toBe(true),
  );

  it.each(['(?<![\\s.!])[\\s.!]+$', '\\bhow .{0,60}ever', '^\\s*(?:\\|\\s*)?$', '[a-z]+'])(
    'has nothing against /%s/',
    (source) => {
      expect(superlinear(pattern(source))).toBeNull();
      expect(isSlow(pattern(source, 'g'))).toBe(false);
    },
  );

  it('measures a function that cuts the same text again and again', () => {
    const cutting = (text: string) => {
      for (let at = 0; at < text.length; at += 3) text.slice(at).split(' ');
    };
    expect(growsTooFast(cutting, 'a '.repeat(LENGTH / 2))).toBe(true);
    expect(
      growsTooFast((text) => text.split(' ').map((word) => word.toUpperCase()), 'a '.repeat(LENGTH / 2)),
    ).toBe(false);
  });

  it('reads patterns where they are written, and what a file exports that takes text', () => {
    const file = {
      path: 'server/some.ts',
      text: `// not /this+$/\nexport const ends = (text: string) => /a+$/.test(text);\nexport const made = new RegExp('b');`,
    };
    expect(patternsIn(file)).toEqual([{ source: 'a+$', flags: '', place: 'server/some.ts:2' }]);
    expect(makesPatterns(file)).toBe(true);
    expect(textFunctionsIn(file)).toEqual([{ name: 'ends', parameters: [{ name: 'text', type: 'string' }] }]);
  });
});
