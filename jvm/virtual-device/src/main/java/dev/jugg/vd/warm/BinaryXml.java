package dev.jugg.vd.warm;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes Android's compiled XML, as far as a small manifest needs it (chunks as in AOSP's ResourceTypes.h): elements,
 * attributes of the android namespace with string, integer, boolean and reference values.
 */
final class BinaryXml {
  private static final int XML = 0x0003;
  private static final int STRING_POOL = 0x0001;
  private static final int RESOURCE_MAP = 0x0180;
  private static final int START_NAMESPACE = 0x0100;
  private static final int END_NAMESPACE = 0x0101;
  private static final int START_ELEMENT = 0x0102;
  private static final int END_ELEMENT = 0x0103;
  private static final int REFERENCE = 0x01;
  private static final int STRING = 0x03;
  private static final int INTEGER = 0x10;
  private static final int BOOLEAN = 0x12;
  private static final int NONE = -1;
  private static final int ATTRIBUTE_BYTES = 20;
  private static final int NODE_HEADER_BYTES = 16;

  /** {@code id}: the resource of the attribute's name, 0 for names outside of the android namespace. */
  record Attribute(String name, int id, int type, Object value) {
    static Attribute plain(String name, String value) {
      return new Attribute(name, 0, STRING, value);
    }

    static Attribute text(String name, int id, String value) {
      return new Attribute(name, id, STRING, value);
    }

    static Attribute number(String name, int id, int value) {
      return new Attribute(name, id, INTEGER, value);
    }

    static Attribute flag(String name, int id, boolean value) {
      return new Attribute(name, id, BOOLEAN, value ? NONE : 0);
    }

    static Attribute reference(String name, int id, int resource) {
      return new Attribute(name, id, REFERENCE, resource);
    }
  }

  record Element(String name, List<Attribute> attributes, List<Element> children) {}

  private static final String NAMESPACE = "http://schemas.android.com/apk/res/android";
  private final List<String> strings = new ArrayList<>();
  private final List<Integer> nameIds = new ArrayList<>();
  private final ByteArrayOutputStream nodes = new ByteArrayOutputStream();

  private BinaryXml() {}

  static byte[] write(Element root) {
    BinaryXml xml = new BinaryXml();
    // The resource map belongs to the first strings of the pool: attribute names come first.
    xml.collectNames(root);
    xml.node(START_NAMESPACE, xml.index("android"), xml.index(NAMESPACE));
    xml.element(root);
    xml.node(END_NAMESPACE, xml.index("android"), xml.index(NAMESPACE));
    byte[] pool = xml.stringPool();
    byte[] map = xml.resourceMap();
    byte[] body = xml.nodes.toByteArray();
    return chunk(XML, 8, concat(pool, map, body));
  }

  private void collectNames(Element element) {
    for (Attribute attribute : element.attributes()) {
      if (attribute.id() != 0 && !strings.contains(attribute.name())) {
        strings.add(attribute.name());
        nameIds.add(attribute.id());
      }
    }
    element.children().forEach(this::collectNames);
  }

  private void element(Element element) {
    ByteBuffer data = buffer(20 + element.attributes().size() * ATTRIBUTE_BYTES);
    data.putInt(NONE).putInt(index(element.name()));
    data.putShort((short) 20).putShort((short) ATTRIBUTE_BYTES).putShort((short) element.attributes().size());
    data.putShort((short) 0).putShort((short) 0).putShort((short) 0);
    for (Attribute attribute : element.attributes()) {
      boolean text = attribute.type() == STRING;
      int value = text ? index((String) attribute.value()) : (Integer) attribute.value();
      data.putInt(attribute.id() == 0 ? NONE : index(NAMESPACE)).putInt(index(attribute.name()));
      data.putInt(text ? value : NONE).putShort((short) 8).put((byte) 0).put((byte) attribute.type()).putInt(value);
    }
    node(START_ELEMENT, data.array());
    element.children().forEach(this::element);
    node(END_ELEMENT, NONE, index(element.name()));
  }

  private int index(String text) {
    int known = strings.indexOf(text);
    if (known >= 0) {
      return known;
    }
    strings.add(text);
    return strings.size() - 1;
  }

  private void node(int type, int first, int second) {
    node(type, buffer(8).putInt(first).putInt(second).array());
  }

  private void node(int type, byte[] data) {
    byte[] position = buffer(8).putInt(1).putInt(NONE).array();
    nodes.writeBytes(chunk(type, NODE_HEADER_BYTES, concat(position, data)));
  }

  private byte[] stringPool() {
    ByteArrayOutputStream texts = new ByteArrayOutputStream();
    ByteBuffer offsets = buffer(4 * strings.size());
    for (String text : strings) {
      offsets.putInt(texts.size());
      texts.writeBytes(buffer(2).putShort((short) text.length()).array());
      texts.writeBytes(text.getBytes(StandardCharsets.UTF_16LE));
      texts.writeBytes(new byte[2]);
    }
    while (texts.size() % 4 != 0) {
      texts.write(0);
    }
    ByteBuffer header = buffer(20);
    header.putInt(strings.size()).putInt(0).putInt(0).putInt(28 + offsets.capacity()).putInt(0);
    return chunk(STRING_POOL, 28, concat(header.array(), offsets.array(), texts.toByteArray()));
  }

  private byte[] resourceMap() {
    ByteBuffer ids = buffer(4 * nameIds.size());
    nameIds.forEach(ids::putInt);
    return chunk(RESOURCE_MAP, 8, ids.array());
  }

  private static byte[] chunk(int type, int headerBytes, byte[] rest) {
    ByteBuffer chunk = buffer(8 + rest.length);
    chunk.putShort((short) type).putShort((short) headerBytes).putInt(8 + rest.length).put(rest);
    return chunk.array();
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
