export const engines = {
  /** The message of an engine, or of the server behind it, about its failure. */
  said: '{text}',
  unknown: 'There is no such engine.',
  'value-too-long': 'Use at most {max, number} characters for a setting.',
  'value-one-line': 'Use one line for a setting.',
  'too-many-settings': 'Send at most {max, number} settings at a time.',
  'setting-unknown': 'There is no setting {name} of this engine.',
  'set-in-environment': '{name} is set in the environment of the server, which wins. Change it there.',
  'set-there-too': '{name} is set in the environment of the server. Set {address} there, too.',
  'enter-again': '{label}: enter it once more, since the address leads to another server.',
} as const;
