package dev.jugg.vd.host.dex;

import com.googlecode.dex2jar.ir.expr.BinopExpr;
import com.googlecode.dex2jar.ir.expr.Constant;
import com.googlecode.dex2jar.ir.expr.Value;
import com.googlecode.dex2jar.ir.stmt.IfStmt;

/**
 * Turns {@code if (0 > x)} into {@code if (x < 0)} before dex2jar 2.4.38 writes it, which otherwise drops the zero
 * without turning the comparison round. Called from the mended IR2JConverter.
 */
public final class ZeroComparison {
  private ZeroComparison() {}

  public static void normalise(IfStmt statement) {
    if (!(statement.getOp() instanceof BinopExpr comparison)) {
      return;
    }
    Value left = comparison.getOp1();
    Value right = comparison.getOp2();
    Value.VT turned = turned(comparison.vt);
    if (turned == null || !isZero(left) || isZero(right)) {
      return;
    }
    BinopExpr replacement = new BinopExpr(turned, right, left, comparison.type);
    replacement.valueType = comparison.valueType;
    replacement.tag = comparison.tag;
    statement.setOp(replacement);
  }

  private static boolean isZero(Value value) {
    return value.vt == Value.VT.CONSTANT && Integer.valueOf(0).equals(((Constant) value).value);
  }

  private static Value.VT turned(Value.VT comparison) {
    return switch (comparison) {
      case GT -> Value.VT.LT;
      case GE -> Value.VT.LE;
      case LT -> Value.VT.GT;
      case LE -> Value.VT.GE;
      default -> null;
    };
  }
}
