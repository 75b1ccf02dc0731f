package dev.jugg.vd.host.dex;

import com.googlecode.d2j.Method;
import com.googlecode.d2j.dex.BaseDexExceptionHandler;
import com.googlecode.d2j.node.DexMethodNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.MethodVisitor;

/**
 * What dex2jar could not do. A method that it cannot translate throws when it is called, so it must be known; a file that
 * it cannot read must not pass for an empty one.
 */
final class TranslationTrouble extends BaseDexExceptionHandler {
  private final List<String> methods = new ArrayList<>();
  private Exception unreadable;

  @Override
  public synchronized void handleFileException(Exception e) {
    unreadable = e;
  }

  @Override
  public synchronized void handleMethodTranslateException(
      Method method, DexMethodNode node, MethodVisitor visitor, Exception e) {
    super.handleMethodTranslateException(method, node, visitor, e);
    String owner = method.getOwner();
    methods.add(owner.substring(1, owner.length() - 1).replace('/', '.') + "." + method.getName());
  }

  /** Binary names with the method's. */
  synchronized List<String> methods() throws IOException {
    if (unreadable != null) {
      throw new IOException("The dex file cannot be read: " + unreadable, unreadable);
    }
    return new ArrayList<>(methods);
  }
}
