/**
 * The complementary error function by Chebyshev coefficients (Press et al., Numerical Recipes, 2nd edition, section 6.2).
 * Relative error below 1.2e-7 for every argument.
 */
function complementaryError(x: number): number {
  const z = Math.abs(x);
  const t = 2 / (2 + z);
  const coefficients = [
    0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196, 1.00002368, -1.26551223,
  ];
  const polynomial = coefficients.reduce((sum, coefficient) => sum * t + coefficient, 0);
  const value = t * Math.exp(-z * z + polynomial);
  return x >= 0 ? value : 2 - value;
}

/** The two-sided p value of a standard normal z. */
export const twoSidedP = (z: number): number => complementaryError(Math.abs(z) / Math.SQRT2);

/** The two-sided exact p value of `successes` among `trials` with probability one half: the sign test behind McNemar's test. */
export function exactSignP(successes: number, trials: number): number {
  const smaller = Math.min(successes, trials - successes);
  let term = 0.5 ** trials;
  let tail = 0;
  for (let k = 0; k <= smaller; k++) {
    tail += term;
    term *= (trials - k) / (k + 1);
  }
  return Math.min(1, 2 * tail);
}
