export const secretSettings: readonly string[];
