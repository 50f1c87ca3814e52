export function resident(pid: number | string): { all: number; own: number };
