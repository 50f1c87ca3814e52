/** Accounts, sessions, members and sign-in. */
export const accounts = {
  'name-missing': 'Enter your name.',
  'email-missing': 'Enter your email address.',
  'email-invalid': 'Enter a valid email address.',
  'email-too-long': 'Use an email address of at most {max, number} characters.',
  'email-taken': 'An account with this email already exists.',
  'already-a-member':
    'Somebody with this email address already has an account, and an account belongs to one workspace. Invite another address, or ask them to delete that account first.',
  'password-missing': 'Enter your password.',
  'password-too-short': 'Use a password of at least {min, number} characters.',
  'password-too-long': 'Use a password of at most {max, number} characters.',
  'password-common': 'This password is one of the most common ones. Choose another.',
  'password-guessable':
    'This password is little more than your name, your address or your company. Choose another.',
  'password-wrong': 'This is not your current password.',
  'credentials-wrong': 'Invalid email or password.',
  'code-missing': 'Enter the code.',
  'code-too-long': 'This code is too long.',
  'code-needed': 'Enter the code of your authenticator app, too.',
  'code-wrong': 'This code is wrong, was used already or is too old.',
  'second-factor-missing': 'Set up a second factor first: everybody here needs one.',
  'second-factor-on': 'Your second factor is already on. Turn it off before you set up another one.',
  'second-factor-not-begun': 'Set up a second factor before you confirm it.',
  'second-factor-none': 'You have no second factor yet.',
  'second-factor-required':
    'Everybody here needs a second factor. An owner of this installation can change that.',
  'second-factor-own-first': 'Set up your own second factor first.',
  'prove-password': 'Enter your password to do this.',
  'prove-again': 'Sign out, sign in again, and do this within ten minutes.',
  'sign-in-again': 'This sign-in took too long, was already used or began elsewhere. Start it again.',
  'start-choice-needed':
    'There is already an account with your email address, made by somebody who did not confirm the address. Choose whether to start empty or to take over what is in it.',
  'start-choice': 'Choose whether to start empty or to take over what is in the account.',
  'start-choice-first':
    'Sign in at the identity provider first, and choose what happens to what is in this account.',
  'provider-without-email': '{provider} does not tell your email address, and an account needs one.',
  'provider-unverified':
    'There is an account with your email address, and {provider} does not say that the address is yours. Sign in with your password.',
  'provider-away':
    '{provider} cannot be reached at the moment. Try again later, or sign in with your password.',
  'provider-refused': '{provider} did not let you in. Try again.',
  'email-not-sent': 'E-mail cannot be sent at the moment. Please try again in a few minutes.',
  'link-used': 'This link has been used or has expired. Ask for a new one.',
  'registration-closed': 'Registration is closed.',
  'registration-by-invitation': 'Registration is by invitation.',
  'registration-lost':
    'Registration is closed because the last account here was deleted. The operator of this server can make an owner with npm run reset-owner.',
  'registration-mode': 'Choose who may make an account.',
  'registration-not-open':
    'Registration is not open here. Ask an owner of this installation to let somebody in.',
  'registration-closed-to-invited': 'Registration is closed. Allow invitations before you invite somebody.',
  'invitation-used': 'This invitation has been used, withdrawn or has expired. Ask for a new one.',
  'invitation-for-another':
    'This invitation is for another email address. Use the address that it was made for.',
  role: 'Choose one of the roles.',
  'remove-yourself': 'You cannot remove yourself. Delete your own account in its settings.',
  'last-owner-of-workspace':
    'This is the last owner of the workspace. Make another member an owner first: a workspace needs one.',
  'last-owner': 'This is the last owner. Make somebody else an owner first: an installation needs one.',
  'log-cursor': 'Use a cursor that came with a page of the log.',
  'contact-is-member': 'This contact is a member of the workspace. Remove the member instead.',
} as const;
