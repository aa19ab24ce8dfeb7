@echo off
rem Runs the replicator in the foreground until Ctrl-C. Its working directory is the folder above this
rem one, whose conf\ has the configuration. JAVA_HOME names a JDK other than the one on the PATH;
rem JAVA_OPTS has options of the JVM, such as -Xmx512m.
setlocal
cd /d "%~dp0.."
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
"%JAVA%" -Dlog4j2.configurationFile=conf/log4j2.properties %JAVA_OPTS% -cp "lib/*" dev.streamconnect.camel.main.StreamConnectMain conf/application.properties
exit /b %ERRORLEVEL%
