import { t } from '#web/texts/accounts';

const browsers: readonly [RegExp, string][] = [
  // The order matters: each later one also names itself like those above.
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly [RegExp, string, 'phone' | 'computer'][] = [
  [/\biPhone\b/, 'iPhone', 'phone'],
  [/\biPad\b/, 'iPad', 'phone'],
  [/\bAndroid\b/, 'Android', 'phone'],
  [/\bWindows\b/, 'Windows', 'computer'],
  [/\bMac OS X\b/, 'Mac', 'computer'],
  [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bLinux\b/, 'Linux', 'computer'],
];

/**
 * The program of a sign-in in familiar words: "Chrome on Windows". A guess, to tell one's own devices apart.
 * @param userAgent of the program
 */
export function describeProgram(userAgent = ''): { name: string; kind: 'phone' | 'computer' } {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [, system, kind = 'computer'] = systems.find(([pattern]) => pattern.test(userAgent)) ?? [];
  if (browser && system) return { name: t('sessions.program', { browser, system }), kind };
  const [product = ''] = userAgent.split(/[/\s]/);
  return { name: browser ?? system ?? (product.slice(0, 40) || t('sessions.unknownProgram')), kind };
}
