// SPDX-License-Identifier: Apache-2.0
package jvmdebug.runner;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.platform.engine.Filter;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;

/** Leaves out what the build leaves out by tags, but for methods that somebody has named. */
final class PlatformFilter implements PostDiscoveryFilter {
  private final List<PostDiscoveryFilter> tags = new ArrayList<>();
  private final List<Filter<?>> all = new ArrayList<>();
  private final List<Selection> named = new ArrayList<>();
  private final Set<String> leftOut = new HashSet<>();

  PlatformFilter(Options options, List<Selection> selections) {
    for (Selection each : selections) {
      if (each.method != null || each.uniqueId != null) {
        named.add(each);
      }
    }
    if (!options.includedGroups.isEmpty()) {
      tags.add(TagFilter.includeTags(options.includedGroups));
    }
    if (!options.excludedGroups.isEmpty()) {
      tags.add(TagFilter.excludeTags(options.excludedGroups));
    }
    if (!tags.isEmpty()) {
      all.add(this);
    }
    if (!options.includedEngines.isEmpty()) {
      all.add(EngineFilter.includeEngines(options.includedEngines));
    }
    if (!options.excludedEngines.isEmpty()) {
      all.add(EngineFilter.excludeEngines(options.excludedEngines));
    }
  }

  Filter<?>[] all() {
    return all.toArray(new Filter<?>[0]);
  }

  /** Whether a test of that class has been left out. */
  boolean hasLeftOut(String className) {
    return leftOut.contains(className);
  }

  @Override
  public FilterResult apply(TestDescriptor test) {
    if (isNamed(test)) {
      return FilterResult.included("it is named");
    }
    for (PostDiscoveryFilter each : tags) {
      FilterResult result = each.apply(test);
      if (result.excluded()) {
        for (TestDescriptor at = test; at != null; at = at.getParent().orElse(null)) {
          leftOut.add(className(at));
        }
        return result;
      }
    }
    return FilterResult.included("its tags are as the build wants them");
  }

  private boolean isNamed(TestDescriptor test) {
    String id = test.getUniqueId().toString();
    TestSource source = test.getSource().orElse(null);
    String method = source instanceof MethodSource ? ((MethodSource) source).getMethodName() : "";
    for (Selection each : named) {
      boolean isMeant =
          each.uniqueId == null
              ? each.method.equals(method) && each.className.equals(className(test))
              : each.uniqueId.equals(id)
                  || each.uniqueId.startsWith(id + "/")
                  || id.startsWith(each.uniqueId + "/");
      if (isMeant) {
        return true;
      }
    }
    return false;
  }

  private static String className(TestDescriptor test) {
    TestSource source = test.getSource().orElse(null);
    if (source instanceof MethodSource) {
      return ((MethodSource) source).getClassName();
    }
    return source instanceof ClassSource ? ((ClassSource) source).getClassName() : "";
  }
}
