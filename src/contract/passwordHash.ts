import { md5 } from 'js-md5';

/** What the wire carries instead of a password: its MD5 in capitals (specification section 5). */
export const passwordHash = (password: string): string => md5(password).toUpperCase();
