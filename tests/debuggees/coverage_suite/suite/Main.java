// SPDX-License-Identifier: Apache-2.0
package suite;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs the tests of the classes that are given, or of packages: those that end with a dot. */
public class Main {
  public static void main(String[] args) {
    List<DiscoverySelector> selected = new ArrayList<>();
    for (String each : args) {
      boolean isPackage = each.endsWith(".");
      selected.add(
          isPackage ? selectPackage(each.substring(0, each.length() - 1)) : selectClass(each));
    }
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    Launcher launcher = LauncherFactory.create();
    launcher.execute(
        LauncherDiscoveryRequestBuilder.request().selectors(selected).build(), listener);
    System.out.println(listener.getSummary().getTestsSucceededCount() + " succeeded");
    System.exit(0);
  }
}
