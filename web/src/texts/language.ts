import { createTranslator } from 'use-intl/core';

/** The language of the page, known before its first text is asked for. English is the only one yet. */
type Language = 'en';
const language: Language = 'en';

/** @returns what is meant for the page's language */
export const inLanguage = <Value>(values: Record<Language, Value>): Value => values[language];

/** How dates, times and numbers are written, as BCP 47 names it. */
export const locale = inLanguage({ en: 'en-US' });

/**
 * The texts of one part of the page, in the page's language: `t('invite.title')`.
 * The compiler names a key that a language lacks, and what any of them needs, such as the count of a plural.
 * @param texts the same texts in each language, in ICU MessageFormat
 */
export const textsOf = <const Texts extends Record<Language, Record<string, unknown>>>(texts: Texts) =>
  createTranslator<Texts[Language]>({ locale, messages: texts[language] });
