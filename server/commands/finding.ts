/** One line of what `npm run doctor` has to say. */
export interface Finding {
  state: 'right' | 'note' | 'wrong';
  says: string;
}
export const right = (says: string): Finding => ({ state: 'right', says });
export const note = (says: string): Finding => ({ state: 'note', says });
export const wrong = (says: string): Finding => ({ state: 'wrong', says });
