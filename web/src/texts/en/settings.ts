export const settings = {
  calls: {
    text: 'Applies to all your calls on every device.',
    recordings: 'Keep recordings of calls',
    recordingsOn: 'Listen again in the conversation to what you and the agent said.',
    recordingsOff:
      'No sound is kept from now on. Existing recordings stay until you delete their conversation.',
    speech: 'Turn speech into text',
    server: 'Only on this server',
    serverHint: 'Your voice is sent to this server in every browser, never to the maker of the browser.',
    browser: 'In your browser, where it can',
    browserHint: 'Single messages only. The maker of the browser may receive what you say.',
    decided:
      'The operator of this server has decided that speech stays on it. Live rooms use no outside server either.',
    cues: 'Sound cues',
    cuesHint: 'Short, soft sounds when you join, mute and hang up.',
  },
} as const;
