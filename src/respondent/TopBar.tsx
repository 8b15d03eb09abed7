interface Props {
  title: string;
  isLarge: boolean;
  setLarge: (isLarge: boolean) => void;
  /** absent while there is nothing to choose */
  menu?: { isOpen: boolean; toggle: () => void } | undefined;
}

/** The bar above every page: the institution, large print, the menu. */
export function TopBar({ title, isLarge, setLarge, menu }: Props) {
  return (
    <header className="top">
      <span className="brand">{title}</span>
      <button type="button" aria-pressed={isLarge} aria-label="大字" onClick={() => setLarge(!isLarge)}>
        A+
      </button>
      {menu && (
        <button type="button" aria-expanded={menu.isOpen} onClick={menu.toggle}>
          菜单
        </button>
      )}
    </header>
  );
}
