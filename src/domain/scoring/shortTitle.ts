/** The short name of a form with its hyphen: “PHQ-9” of “患者健康问卷抑郁量表（PHQ-9）”. */
export const shortTitle = (title: string): string => /（([A-Za-z][\w-]*)）/.exec(title)?.[1] ?? title;

/** The code of a form as users read it, where its title is not at hand: PHQ-9 of PHQ9, K10 of K10. */
export const formatFormCode = (formcode: string): string => formcode.replace(/^([A-Z]{3,})(\d+)$/, '$1-$2');
