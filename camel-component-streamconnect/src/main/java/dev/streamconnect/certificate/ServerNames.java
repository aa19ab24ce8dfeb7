package dev.streamconnect.certificate;

import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;

/**
 * The hosts that a server certificate vouches for (subject alternative names). One of the lists has
 * an entry.
 *
 * @param dns host names, also with a leading {@code *.}
 * @param ip addresses in their numeric form
 */
public record ServerNames(List<String> dns, List<String> ip) {

    public ServerNames {
        dns = List.copyOf(dns);
        ip = List.copyOf(ip);
        if (dns.isEmpty() && ip.isEmpty()) {
            throw new IllegalArgumentException("a server certificate needs a host name or address");
        }
    }

    GeneralNames toGeneralNames() {
        List<GeneralName> names = new ArrayList<>();
        dns.forEach(name -> names.add(new GeneralName(GeneralName.dNSName, name)));
        ip.forEach(address -> names.add(new GeneralName(GeneralName.iPAddress, address)));
        return new GeneralNames(names.toArray(GeneralName[]::new));
    }
}
