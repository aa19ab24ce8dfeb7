package dev.streamconnect.record;

import java.util.HashMap;
import java.util.Map;

/** Where each value of a file stands, by JSON pointer. */
final class Places {

    private final Map<String, Place> values = new HashMap<>();
    private final Map<String, Place> keys = new HashMap<>();

    void value(String pointer, Place place) {
        values.put(pointer, place);
    }

    void key(String pointer, Place place) {
        keys.put(pointer, place);
    }

    /** Place of the value, or of the nearest one around it that has a place. */
    Place of(String pointer) {
        return nearest(values, pointer);
    }

    /** Place of the field's name, or of the value. */
    Place ofKey(String pointer) {
        Place place = keys.get(pointer);
        return place == null ? of(pointer) : place;
    }

    static String child(String pointer, String field) {
        return pointer + "/" + field.replace("~", "~0").replace("/", "~1");
    }

    static String child(String pointer, int index) {
        return pointer + "/" + index;
    }

    static String lastField(String pointer) {
        String last = pointer.substring(pointer.lastIndexOf('/') + 1);
        return last.replace("~1", "/").replace("~0", "~");
    }

    private static Place nearest(Map<String, Place> places, String pointer) {
        String at = pointer;
        while (true) {
            Place place = places.get(at);
            if (place != null) {
                return place;
            }
            int slash = at.lastIndexOf('/');
            if (slash < 0) {
                return Place.NONE;
            }
            at = at.substring(0, slash);
        }
    }
}
