/** Keys of a workspace. */
export const keys = {
  'name-missing': 'Name the key after the program that will use it.',
  'name-too-long': 'Use at most {max, number} characters for the name of a key.',
  scope: 'Choose scopes from the list in the documentation.',
  'scope-missing': 'Choose at least one scope.',
  'expiry-invalid': 'Send the expiry as a date and time in UTC, such as 2027-01-31T00:00:00Z.',
  'expiry-past': 'Choose an expiry in the future.',
  full: 'A workspace can have at most {max, number} keys. Delete one to make another.',
} as const;
