import type { SectionKey } from '#features/scaleeditor/page/places.ts';
import { FormSection } from '#features/scaleeditor/page/FormSection.tsx';
import { LicenceSection } from '#features/scaleeditor/page/LicenceSection.tsx';
import { ItemsSection } from '#features/scaleeditor/page/items/ItemsSection.tsx';
import { OptionSetsSection } from '#features/scaleeditor/page/items/OptionSetsSection.tsx';
import { BandsSection } from '#features/scaleeditor/page/scoring/BandsSection.tsx';
import { NormsSection } from '#features/scaleeditor/page/scoring/NormsSection.tsx';
import { RulesSection } from '#features/scaleeditor/page/scoring/RulesSection.tsx';
import { ScoresSection } from '#features/scaleeditor/page/scoring/ScoresSection.tsx';
import { SkipSection } from '#features/scaleeditor/page/scoring/SkipSection.tsx';

const views: Readonly<Record<SectionKey, () => React.ReactNode>> = {
  form: FormSection,
  items: ItemsSection,
  optionsets: OptionSetsSection,
  scores: ScoresSection,
  bands: BandsSection,
  alerts: RulesSection,
  derive: SkipSection,
  norms: NormsSection,
  licence: LicenceSection,
};

/** The open section of the editor. */
export function SectionView({ section }: { section: SectionKey }) {
  const View = views[section];
  return <View />;
}
