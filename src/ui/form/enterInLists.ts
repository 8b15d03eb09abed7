const OPEN_LIST = 'input[aria-expanded="true"], input[data-expanded="true"]';

/** Whether the field has an open list, or an open calendar: both keep the focus in their field. */
const isOpen = (field: Element) =>
  field.matches(OPEN_LIST) ||
  (field.matches('input[data-dates-input]') && document.querySelector('[data-dates-dropdown]') !== null);

/**
 * Makes Enter in the field of an open list or calendar choose only. Without an option to choose, the browser would submit the form
 * around the field. One listener serves all forms.
 */
export function keepEnterInLists() {
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Enter' && event.target instanceof Element && isOpen(event.target)) event.preventDefault();
    },
    { capture: true },
  );
}
