/** Whether figures with separators are a date ("12.05.2027") or a range of years, and so no telephone number. */
export const isDateInFigures = (text: string): boolean =>
  /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$|^(?:19|20)\d\d ?[-/] ?(?:19|20)\d\d$/.test(text);
