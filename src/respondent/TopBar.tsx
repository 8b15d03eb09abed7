interface Props {
  title: string;
  isLarge: boolean;
  setLarge: (isLarge: boolean) => void;
  isMenuOpen: boolean;
  /** absent while there is nothing to choose */
  toggleMenu?: () => void;
}

/** The bar above every page: the institution, large print, the menu. */
export function TopBar({ title, isLarge, setLarge, isMenuOpen, toggleMenu }: Props) {
  return (
    <header className="top">
      <span className="brand">{title}</span>
      <button type="button" aria-pressed={isLarge} aria-label="大字" onClick={() => setLarge(!isLarge)}>
        A+
      </button>
      {toggleMenu && (
        <button type="button" aria-expanded={isMenuOpen} onClick={toggleMenu}>
          菜单
        </button>
      )}
    </header>
  );
}
