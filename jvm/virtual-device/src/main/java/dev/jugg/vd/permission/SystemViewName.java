package dev.jugg.vd.permission;

/** The tag of a view that has its resource id in a package that is not there: the permission controller's. */
public record SystemViewName(String entry) {
  /** As {@code Resources.getResourceName} writes it. */
  public String full() {
    return PermissionRequest.CONTROLLER + ":id/" + entry;
  }
}
