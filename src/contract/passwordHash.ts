import { md5 } from 'js-md5';

/** The MD5 of a password in capitals, which the wire carries instead of the password (specification section 5). */
export const passwordHash = (password: string): string => md5(password).toUpperCase();
