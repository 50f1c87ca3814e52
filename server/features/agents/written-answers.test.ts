import { describe, expect, it } from 'vitest';
import { withAnswer } from './written-answers.ts';

const doc = '# Hours\n\nOpen daily.\n';

describe('a written answer', () => {
  it('stands under its question, in a section at the end that is made once', () => {
    const one = withAnswer(doc, 'Do you ship to Norway?', 'Yes, in 5 days.');
    expect(one).toBe(
      '# Hours\n\nOpen daily.\n\n## Questions and answers\n\n### Do you ship to Norway?\n\nYes, in 5 days.',
    );
    expect(withAnswer(one, 'May I bring my dog?', 'Yes.\nOn a lead.')).toBe(
      `${one}\n\n### May I bring my dog?\n\nYes.\nOn a lead.`,
    );
  });

  it('takes the place of an earlier answer to the same question, and only of that', () => {
    const two = withAnswer(withAnswer(doc, 'A?', 'First.'), 'B?', 'Second.');
    expect(withAnswer(two, 'A?', 'First.')).toBe(two);
    expect(withAnswer(two, 'A?', 'Better.')).toBe(two.replace('First.', 'Better.'));
    expect(withAnswer(two, 'B?', 'Better.')).toBe(two.replace('Second.', 'Better.'));
  });

  it('joins the section where the business has moved it, and leaves alike headings elsewhere alone', () => {
    const moved = '### A?\nOld.\n\n## Questions and answers\n\n### B?\n\nYes.\n\n# Contact\n\nCall us.';
    expect(withAnswer(moved, 'A?', 'New.')).toBe(
      '### A?\nOld.\n\n## Questions and answers\n\n### B?\n\nYes.\n\n### A?\n\nNew.\n\n# Contact\n\nCall us.',
    );
  });

  it('makes one line of the question and keeps headings out of the answer', () => {
    const long = `How\n## much  ${'is this thing '.repeat(40)}?`;
    const [heading] = withAnswer(doc, long, '# 20 euros\n#1 choice').match(/^### .*$/mu) ?? [];
    expect(heading?.length).toBeLessThanOrEqual(210);
    expect(heading).toMatch(/^### How ## much is this thing .* thing …$|^### How ## much .* …$/u);
    expect(withAnswer(doc, 'How?', '# 20 euros\n#1 choice')).toMatch(/\n\\# 20 euros\n#1 choice$/u);
  });

  it('finds its section in a text with the line ends of Windows', () => {
    const windows = withAnswer(doc, 'A?', 'First.').replaceAll('\n', '\r\n');
    expect(withAnswer(windows, 'B?', 'Second.').match(/## Questions and answers/g)).toHaveLength(1);
  });
});
