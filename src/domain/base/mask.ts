/** 张** : the family name and as many stars as other characters, at most two; compound surnames keep one character too. */
export const maskName = (name: string): string =>
  name.length <= 1 ? name : name.charAt(0) + '*'.repeat(Math.min(2, name.length - 1));

/** 138****0000; anything shorter than seven digits becomes stars altogether. */
export const maskPhone = (phone: string): string =>
  phone.length < 7 ? '*'.repeat(phone.length) : `${phone.slice(0, 3)}****${phone.slice(-4)}`;

/** 1101**********1234 */
export const maskIdno = (idno: string): string =>
  idno.length < 8 ? '*'.repeat(idno.length) : `${idno.slice(0, 4)}${'*'.repeat(idno.length - 8)}${idno.slice(-4)}`;
