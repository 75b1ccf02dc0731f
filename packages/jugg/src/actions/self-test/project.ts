import { join } from 'node:path';
import { writeFileAtomic } from '../../shared/files.ts';

export const SELF_TEST_PACKAGE = 'dev.jugg.selftest';
/** What the app logs once it is on screen. */
export const SELF_TEST_MARKER = 'JUGG_SELF_TEST_READY';

const SETTINGS = `rootProject.name = "self-test"
include(":app")
`;

const BUILD = `plugins { id("com.android.application") }
android {
    namespace = "${SELF_TEST_PACKAGE}"
    compileSdk = 35
    defaultConfig {
        applicationId = "${SELF_TEST_PACKAGE}"
        minSdk = 26
        targetSdk = 35
        versionCode = 1
        versionName = "1"
    }
}
`;

const MANIFEST = `<manifest xmlns:android="http://schemas.android.com/apk/res/android">
    <application android:label="Jugg self-test">
        <activity android:name=".MainActivity" android:exported="true">
            <intent-filter>
                <action android:name="android.intent.action.MAIN" />
                <category android:name="android.intent.category.LAUNCHER" />
            </intent-filter>
        </activity>
    </application>
</manifest>
`;

const ACTIVITY = `package ${SELF_TEST_PACKAGE};

import android.app.Activity;
import android.os.Bundle;
import android.util.Log;
import android.view.Gravity;
import android.widget.Button;
import android.widget.LinearLayout;

public final class MainActivity extends Activity {
    private int pressed;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        Button button = new Button(this);
        button.setText(Words.label(pressed));
        button.setOnClickListener(view -> button.setText(Words.label(++pressed)));
        LinearLayout screen = new LinearLayout(this);
        // Away from the bars, behind which apps for Android 15 are laid out.
        screen.setGravity(Gravity.CENTER);
        screen.addView(button);
        setContentView(screen);
        Log.i("JuggSelfTest", "${SELF_TEST_MARKER}");
    }
}
`;

const words = (label: string): string => `package ${SELF_TEST_PACKAGE};

final class Words {
    static String label(int pressed) {
        return "${label}: " + pressed;
    }
}
`;

const JAVA = `app/src/main/java/${SELF_TEST_PACKAGE.replaceAll('.', '/')}`;

/** Writes the project of a tiny app with one button; `label` stands on it before the number of presses. */
export async function writeSelfTestProject(projectDir: string, label: string): Promise<void> {
  const files: Readonly<Record<string, string>> = {
    'settings.gradle.kts': SETTINGS,
    'app/build.gradle.kts': BUILD,
    'app/src/main/AndroidManifest.xml': MANIFEST,
    [`${JAVA}/MainActivity.java`]: ACTIVITY,
    [`${JAVA}/Words.java`]: words(label),
  };
  for (const [name, content] of Object.entries(files)) await writeFileAtomic(join(projectDir, name), content);
}
