/**
 * Whether both share a figure of two or more digits as written: "$200,000" of a question is in the row that answers it.
 */
export function sharesFigure(question: string, text: string): boolean {
  const figures = question.match(/\d[\d,.]*\d/g) ?? [];
  return figures.some((figure) =>
    new RegExp(`(?<![\\d.,])${figure.replaceAll('.', '\\.')}(?![\\d]|[.,]\\d)`).test(text),
  );
}
