package dev.jugg.inspector;

/** A foreseen failure with its code: BUSY, STALE_REF, NO_WINDOW, NO_FIELD, UNSUPPORTED, REDEFINE_FAILED, BAD_REQUEST. */
final class InspectorException extends Exception {
    final String code;

    InspectorException(String code, String message) {
        super(message);
        this.code = code;
    }
}
