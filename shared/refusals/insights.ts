export const insights = {
  'time-zone': 'Use a time zone by its IANA name, such as Europe/Berlin.',
  period: 'Use days=7, days=30 or days=90.',
  months: 'Use months from 1 to {max, number}.',
  'answer-missing': 'Write an answer first.',
  'own-alone': 'You may only see your own statistics.',
} as const;
