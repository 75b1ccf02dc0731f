import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootClassPath } from '../../src/toolchain/boot-class-path.ts';
import { artifact, hostBench, KOTLIN_STDLIB, quietWork, valueOf } from './support.ts';
import type { HostBench } from './support.ts';

let bench: HostBench;
let boot: readonly string[];
beforeAll(async () => {
  bench = await hostBench();
  boot = valueOf(await bootClassPath(bench.host, quietWork(), { dirs: bench.dirs })).compile;
}, 240_000);
afterAll(async () => {
  await bench.close();
});

/** Classes of the SDK whose parents an app cannot name: hidden ones, and those of their own package only. */
const JAVA = `
import android.app.backup.SharedPreferencesBackupHelper;
import android.nfc.tech.IsoDep;
import android.os.PersistableBundle;
import android.provider.ContactsContract.CommonDataKinds.Email;
import android.text.SpannableString;
import android.widget.ActionMenuView;
import android.widget.ListPopupWindow;

class Uses {
  int bundle(PersistableBundle bundle) { bundle.putInt("x", 1); return bundle.size() + bundle.getInt("x"); }
  int text(SpannableString text) { text.setSpan(this, 0, 1, 0); return text.length() + text.getSpanStart(this); }
  void tag(IsoDep tag) throws java.io.IOException { tag.connect(); tag.getTag(); tag.close(); }
  void popup(ListPopupWindow popup) { popup.show(); popup.getListView().clearFocus(); }
  boolean menu(ActionMenuView menu) { return menu.getMenu().size() + menu.getChildCount() > 0; }
  void backup(SharedPreferencesBackupHelper helper) { helper.restoreEntity(null); }
  String column() { return Email.ADDRESS + Email.DISPLAY_NAME + Email._ID; }
}`;

const KOTLIN = `
import android.nfc.tech.IsoDep
import android.os.PersistableBundle
import android.text.SpannableString
import android.text.Spanned
import android.widget.ListPopupWindow

fun bundle(bundle: PersistableBundle) = bundle.apply { putInt("x", 1) }.size()
fun text(text: SpannableString): Int { text.setSpan(Any(), 0, 1, Spanned.SPAN_MARK_MARK); return text.length }
fun tag(tag: IsoDep) { tag.connect(); tag.tag; tag.close() }
fun popup(popup: ListPopupWindow) { popup.show(); popup.listView?.clearFocus() }
`;

test('Java and Kotlin use classes of the framework whose parents they cannot name', async () => {
  const java = join(bench.folder, 'Uses.java');
  await writeFile(java, JAVA);
  const output = join(bench.folder, 'out');
  const done = valueOf(
    await bench.host.compileJava(
      { sources: [java], classPath: boot, outputDir: output, release: 17, freeArguments: [] },
      quietWork(),
    ),
  );
  expect(done).toMatchObject({ success: true, diagnostics: [] });

  const kotlin = join(bench.folder, 'uses.kt');
  await writeFile(kotlin, KOTLIN);
  const reply = valueOf(
    await bench.host.compileKotlin(
      {
        moduleName: 'uses',
        sources: [kotlin],
        classPath: [...boot, await artifact(KOTLIN_STDLIB)],
        friendPaths: [],
        jvmTarget: '17',
        freeArguments: [],
        outputDir: join(bench.folder, 'kotlin'),
        cacheDir: join(bench.folder, 'kotlin-caches'),
        changes: { kind: 'unknown' },
        compareClassPath: true,
        compiler: [],
      },
      quietWork(),
    ),
  );
  expect(reply).toMatchObject({ success: true, diagnostics: [] });
}, 120_000);
