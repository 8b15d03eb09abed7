import pg from 'pg';

const { builtins, setTypeParser } = pg.types;

// A date has no time zone, so it stays text. Whole and decimal numbers of ours fit a double: they are counts and scores.
setTypeParser(builtins.DATE, (text) => text);
setTypeParser(builtins.INT8, Number);
setTypeParser(builtins.NUMERIC, Number);
