import { sentenceSplitter } from '../sentences.ts';
import { sentenceMarksElsewhere } from '../without-a-pack.ts';
import { sentenceMarks } from './abbreviations.ts';

export const splitSentences = sentenceSplitter([sentenceMarks, sentenceMarksElsewhere]);
