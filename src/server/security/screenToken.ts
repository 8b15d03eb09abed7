/** The beginning of a screen's token. It tells the server which of a browser's cookies belongs to the call. */
export const SCREEN_TOKEN = 'screen.';
