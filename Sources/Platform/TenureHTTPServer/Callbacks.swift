import CMicrohttpd
import CReading
import Glibc
import TenureHTTP
import TenureThreads

/// The callbacks of libmicrohttpd, which run on the event thread of the worker's daemon.
///
/// The socket's context retains a connection object from start to close. The request's context retains an exchange from
/// its request line to its completion, which also follows an abort.
enum Callbacks {
    static func connectionChanged(
        worker: UnsafeMutableRawPointer?, handle: OpaquePointer?,
        context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, event: MHD_ConnectionNotificationCode
    ) {
        guard let worker = unsafe Worker.of(worker), let context = unsafe context else { return }
        let shared = worker.shared
        if event == .CONNECTION_NOTIFY_STARTED {
            let connection = Connection(
                descriptor: unsafe tenure_mhd_connection_fd(handle),
                peer: unsafe Request.Peer(tenure_mhd_connection_address(handle)),
                cutAt: SteadyTime.now().advanced(by: shared.configuration.requestDeadline))
            worker.readers[connection.descriptor] = SocketReader(connection, configuration: shared.configuration)
            worker.readsThisThread()
            shared.connections.add(connection)
            shared.gauges.connectionOpened()
            unsafe context.pointee = Unmanaged.passRetained(connection).toOpaque()
        } else if let held = unsafe context.pointee {
            unsafe context.pointee = nil
            let connection = unsafe Unmanaged<Connection>.fromOpaque(held).takeRetainedValue()
            worker.readers[connection.descriptor] = nil
            shared.connections.remove(connection)
            shared.gauges.connectionClosed()
        }
    }

    static func requestBegan(
        worker: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, handle: OpaquePointer?
    ) -> UnsafeMutableRawPointer? {
        guard let worker = unsafe Worker.of(worker), let target = unsafe target,
            let held = unsafe tenure_mhd_connection_context(handle)
        else { return nil }
        let connection = unsafe Unmanaged<Connection>.fromOpaque(held).takeUnretainedValue()
        let requested = unsafe Target(UnsafeRawBufferPointer(start: target, count: strlen(target)))
        let exchange: Exchange
        if let spare = worker.spare {
            exchange = spare
            worker.spare = nil
            exchange.begin(connection: connection, target: requested)
        } else {
            exchange = Exchange(connection: connection, target: requested, shared: worker.shared)
        }
        return unsafe Unmanaged.passRetained(exchange).toOpaque()
    }

    static func requestAdvanced(
        worker: UnsafeMutableRawPointer?, handle: OpaquePointer?, _: UnsafePointer<CChar>?,
        method: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, bytes: UnsafePointer<CChar>?,
        count: UnsafeMutablePointer<Int>?, context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let worker = unsafe Worker.of(worker), let handle = unsafe handle, let held = unsafe context?.pointee,
            let method = unsafe method, let count = unsafe count
        else { return .NO }
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(held).takeUnretainedValue()
        let goesOn: Bool
        if !exchange.isOpen {
            let incoming = worker.readers[exchange.connection.descriptor]?.takeHead()
            goesOn = unsafe exchange.open(handle, incoming, id: worker.ids.next(), method: String(cString: method))
        } else if unsafe count.pointee > 0 {
            goesOn = unsafe exchange.read(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
            unsafe count.pointee = 0
        } else {
            let refusal = worker.readers[exchange.connection.descriptor]?.bodyRefusal
            goesOn = unsafe exchange.proceed(handle, bodyRefusal: refusal)
        }
        return goesOn ? .YES : .NO
    }

    static func requestEnded(
        worker: UnsafeMutableRawPointer?, handle: OpaquePointer?,
        context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
    ) {
        guard let held = unsafe context?.pointee else { return }
        unsafe context?.pointee = nil
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(held).takeRetainedValue()
        exchange.end()
        unsafe Worker.of(worker)?.spare = exchange
    }

    /// Leaves escapes alone: only the router may decode, segment by segment.
    static func unescape(
        worker: UnsafeMutableRawPointer?, handle: OpaquePointer?, text: UnsafeMutablePointer<CChar>?
    ) -> Int {
        guard let text = unsafe text else { return 0 }
        var length = 0
        while unsafe text[length] != 0 { length += 1 }
        return length
    }
}

/// The state of one event thread; libmicrohttpd passes it to every callback of that thread's daemon.
final class Worker {
    let shared: Shared
    var ids = RequestIDs()
    /// The exchange of the last request that has ended, for the next one.
    var spare: Exchange?
    /// The readers of the open connections, by descriptor.
    var readers: [Int32: SocketReader] = [:]

    init(shared: Shared) {
        self.shared = shared
    }

    /// Makes libmicrohttpd read the sockets of this event thread through their readers.
    func readsThisThread() {
        unsafe tenure_read_through(Unmanaged.passUnretained(self).toOpaque()) { context, descriptor, bytes, count in
            let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
            guard let reader = unsafe Worker.of(context)?.readers[descriptor] else {
                return unsafe recvfrom(descriptor, bytes, count, 0, nil, nil)
            }
            return unsafe reader.read(into: buffer)
        }
    }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> Worker? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe Unmanaged<Worker>.fromOpaque(pointer).takeUnretainedValue()
    }
}

/// Generates request ids of 13 base-32 digits, from a random seed.
///
/// A text of that length needs no allocation.
/// The ids are unique but not secret. Each event thread has its own generator, so no lock is needed.
struct RequestIDs {
    private var state: UInt64

    init() {
        var generator = SystemRandomNumberGenerator()
        state = generator.next()
    }

    mutating func next() -> String {
        // SplitMix64: each state yields a different number, so an id repeats only after 2^64 others.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return unsafe String(unsafeUninitializedCapacity: 13) { digits in
            for index in 0..<13 {
                let digit = UInt8(truncatingIfNeeded: mixed >> (60 - 5 * UInt64(index))) & 31
                unsafe digits[index] = digit < 10 ? 0x30 + digit : 0x57 + digit
            }
            return 13
        }
    }
}
