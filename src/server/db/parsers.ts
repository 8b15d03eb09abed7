import pg from 'pg';

const { builtins, setTypeParser } = pg.types;

// A date has no time zone, so it stays text. Our integers and decimals are counts and scores, which fit a double.
setTypeParser(builtins.DATE, (text) => text);
setTypeParser(builtins.INT8, Number);
setTypeParser(builtins.NUMERIC, Number);
