package com.baidu.paddle.lite;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A C++ object: deleted when it is closed or its owner is garbage, but not while a call uses it.
 */
final class Handle {
    interface Deleter {
        void delete(long pointer);
    }

    interface Call<T> {
        T with(long pointer);
    }

    /** What C++ reads; it stays as long as the object does, whoever holds the owner. */
    final Map<Integer, Object> kept = new ConcurrentHashMap<>();

    private final String what;
    private final Deleter deleter;
    private final Set<Handle> siblings;
    private long pointer;
    private int calls;
    private boolean closed;

    /** Stands in {@code siblings}, which may be null, until it is deleted. */
    Handle(Object owner, String what, long pointer, Deleter deleter, Set<Handle> siblings) {
        this.what = what;
        this.pointer = pointer;
        this.deleter = deleter;
        this.siblings = siblings;
        if (siblings != null) {
            siblings.add(this);
        }
        Reclaimer.watch(owner, this);
    }

    /** IllegalStateException where it is closed. */
    <T> T use(Call<T> call) {
        long used = enter();
        try {
            return call.with(used);
        } finally {
            leave();
        }
    }

    private synchronized long enter() {
        if (closed) {
            throw new IllegalStateException(what + " is closed");
        }
        calls++;
        return pointer;
    }

    private synchronized void leave() {
        calls--;
        deleteUnused();
    }

    synchronized void close() {
        closed = true;
        deleteUnused();
    }

    private void deleteUnused() {
        if (closed && calls == 0 && pointer != 0) {
            deleter.delete(pointer);
            pointer = 0;
            if (siblings != null) {
                siblings.remove(this);
            }
            kept.clear();
        }
    }

    /** Closes what has no owner any more; Android and Java 8 have no Cleaner. */
    private static final class Reclaimer extends PhantomReference<Object> {
        private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
        private static final Set<Reclaimer> WATCHED =
                Collections.synchronizedSet(new HashSet<Reclaimer>());

        static {
            Thread thread = new Thread(Reclaimer::reclaim, "paddle-lite-reclaimer");
            thread.setDaemon(true);
            thread.start();
        }

        private final Handle handle;

        private Reclaimer(Object owner, Handle handle) {
            super(owner, QUEUE);
            this.handle = handle;
        }

        static void watch(Object owner, Handle handle) {
            WATCHED.add(new Reclaimer(owner, handle));
        }

        private static void reclaim() {
            while (true) {
                try {
                    Reclaimer gone = (Reclaimer) QUEUE.remove();
                    WATCHED.remove(gone);
                    gone.handle.close();
                } catch (InterruptedException ignored) {
                    // A daemon ends with its process.
                }
            }
        }
    }
}
