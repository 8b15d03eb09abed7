/** The beginning of a screen's token. It tells the server which of a browser's cookies belongs to the call. */
export const SCREEN_TOKEN = 'screen.';

/** The beginning of an API key (对接密钥), by which people and secret scanners know one. */
export const KEY_TOKEN = 'xlk_';
