export const rooms = {
  'name-missing': 'Please enter a room name.',
  'name-too-long': 'Use a room name of at most {max, number} characters.',
  'name-broken': 'This room name holds a broken character. Please type it again.',
  'in-lobby': 'The owner of this room has been asked to let you in. Please wait.',
  'as-yourself': 'You can only join as yourself. Please sign in again.',
  'too-many-speaking': 'Too many people are speaking at the moment. Please try again in a minute.',
  away: 'Live rooms cannot be reached right now. Please try again in a moment.',
  'too-many-joined': 'You are already in {max, number} rooms. Leave one of them to join another.',
  'too-many-made': 'You have made {max, number} rooms. Use one of them again.',
  'nearly-all-agents-busy':
    'Nearly all agents are in calls. Leave your other room first, or try again later.',
  'all-agents-busy': 'All agents are in calls at the moment. Please try again in a few minutes.',
  'remove-yourself': 'You cannot remove yourself from your own room.',
  removed: 'You were removed from this room. Ask its owner for a new link.',
  'by-invitation': 'This room is by invitation. Ask its owner for the link.',
  locked: 'This room is locked. Ask its owner to open it.',
  'owner-alone': 'Only the owner of this room may do that.',
} as const;
