/** The masked name, such as 张**: the first character and at most two stars. A compound surname also keeps one character. */
export const maskName = (name: string): string =>
  name.length <= 1 ? name : name.charAt(0) + '*'.repeat(Math.min(2, name.length - 1));

/** The masked number, such as 138****0000. A number of fewer than seven digits becomes only stars. */
export const maskPhone = (phone: string): string =>
  phone.length < 7 ? '*'.repeat(phone.length) : `${phone.slice(0, 3)}****${phone.slice(-4)}`;

/** The masked ID number, such as 1101**********1234. */
export const maskIdno = (idno: string): string =>
  idno.length < 8 ? '*'.repeat(idno.length) : `${idno.slice(0, 4)}${'*'.repeat(idno.length - 8)}${idno.slice(-4)}`;
