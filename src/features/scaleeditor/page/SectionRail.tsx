import type { Fault } from '#domain/scoring/editor/fault.ts';
import { countFaults, type SECTIONS, type SectionKey } from '#features/scaleeditor/page/places.ts';
import classes from './editor.module.css';

interface Props {
  sections: readonly (typeof SECTIONS)[number][];
  section: SectionKey;
  faults: readonly Fault[];
  onOpen: (section: SectionKey) => void;
}

/** The sections of a form, each with the number of its faults. */
export function SectionRail({ sections, section, faults, onOpen }: Props) {
  return (
    <nav className={classes['rail']} aria-label="量表的各部分">
      {sections.map(({ key, title }) => {
        const { errors, notices } = countFaults(faults, key);
        return (
          <button
            key={key}
            type="button"
            className={classes['railitem']}
            aria-current={key === section ? 'true' : undefined}
            onClick={() => onOpen(key)}
          >
            {title}
            {errors + notices > 0 && (
              <span
                className={classes['count']}
                data-kind={errors ? 'error' : 'notice'}
                aria-label={errors ? `${errors} 处错误` : `${notices} 条提示`}
                role="img"
              >
                {errors || notices}
              </span>
            )}
          </button>
        );
      })}
    </nav>
  );
}
